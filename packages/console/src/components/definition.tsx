import type { JobDetail } from '../api/records.ts'
import { LinkHint } from './locked.tsx'

/** Long paths break after a slash or a colon, not inside a word. */
const breakable = (text: string) => text.split(/(?<=[/:])/).flatMap((part, i) => [part, <wbr key={i} />])

/** The definition of a job, as far as the reader may see it. */
export function Definition({ job }: { readonly job: JobDetail }) {
  const { execution, policy, window } = job
  const facts: readonly (readonly [string, string])[] = [
    ['identity', job.identity],
    ['zone', job.timezone],
    ['window', window.duration === '0s' ? 'none' : `${window.duration} ${window.mode}`],
    ['concurrency', policy.concurrency],
    ['deadline', policy.deadline],
    ['timeout', execution.timeout ?? 'none'],
    ['user', execution.user ?? "krond's own"],
    ...commandFacts(execution),
  ]
  return (
    <article class="panel" aria-label="Definition">
      <h2>Definition</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{breakable(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        {execution.program === null ? (
          <>
            Program, directory and environment are shown to whoever brings the token. <LinkHint />
          </>
        ) : (
          'Arguments and values of the environment are not shown: they may be secret.'
        )}
      </p>
    </article>
  )
}

/** Empty without the token: on an open port krond does not tell them. */
function commandFacts({
  program,
  shell,
  cwd,
  environment,
}: JobDetail['execution']): (readonly [string, string])[] {
  if (program === null || environment === null) return []
  return [
    ['program', shell ? `${program} (shell)` : program],
    ['directory', cwd ?? "krond's own"],
    ['environment', environment.length === 0 ? 'nothing added' : environment.join(', ')],
  ]
}
