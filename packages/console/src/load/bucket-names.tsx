import { useMemo } from 'preact/hooks'
import { useWorld } from '../context.ts'
import { jobsInBucket, type Starts } from '../model/bucket-jobs.ts'
import { clockText, countText, dayText, type ZoneName } from '../model/format.ts'
import { jobRoute } from '../route.ts'

const MOST = 100

/** The jobs that start in a bucket. */
export function BucketNames({ from, to, zone }: { from: number; to: number; zone: ZoneName }) {
  const world = useWorld()
  const { spread, plain } = useMemo(() => jobsInBucket(world.jobs, from, to), [world.jobs, from, to])
  return (
    <article class="panel bucket" aria-label="Jobs of the bucket" aria-live="polite">
      <h2>
        {dayText(from, zone)} {clockText(from, zone)} – {clockText(to, zone)} <small>{zone}</small>
      </h2>
      <div class="two">
        <Names title="with windows" starts={spread} />
        <Names title="without windows" starts={plain} />
      </div>
    </article>
  )
}

function Names({ title, starts }: { readonly title: string; readonly starts: readonly Starts[] }) {
  const total = starts.reduce((sum, each) => sum + each.count, 0)
  return (
    <div>
      <h3>
        {countText(total)} {total === 1 ? 'start' : 'starts'} {title}
      </h3>
      <ul class="bucket-names">
        {starts.slice(0, MOST).map(({ job, count }) => (
          <li key={job.identity}>
            <a href={jobRoute(job.identity)}>{job.name}</a>
            {count > 1 && <span class="faint"> × {count}</span>}
          </li>
        ))}
      </ul>
      {starts.length > MOST && <p class="faint">and {countText(starts.length - MOST)} jobs more</p>}
    </div>
  )
}
