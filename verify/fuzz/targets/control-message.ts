import { answerRequest, type ControlActions } from '../../../packages/krond/src/control/control.ts'
import { answerToken, type TokenOperations } from '../../../packages/krond/src/control/tokens.ts'
import { must, type Target } from '../target.ts'

/** Everything that a request made the daemon do. */
const done: string[] = []

const TOKENS: TokenOperations = {
  addToken: async () => {
    done.push('token added')
    return {} as Awaited<ReturnType<TokenOperations['addToken']>>
  },
  removeToken: async () => {
    done.push('token removed')
    return { tokens: [] }
  },
  tokens: () => {
    done.push('token list')
    return { tokens: [] }
  },
}

const ACTIONS: ControlActions = {
  uid: 5,
  userName: uid => `user-${uid}`,
  status: () => ({}) as ReturnType<ControlActions['status']>,
  reload: async viewer => {
    done.push(`reload by ${viewer.kind}`)
    return {} as Awaited<ReturnType<ControlActions['reload']>>
  },
  api: async ({ method, path }, viewer) => {
    done.push(`${method} ${typeof path} by ${viewer.kind}`)
    return { ok: null }
  },
  crontab: (_, uid) => {
    done.push(`crontab of ${uid}`)
    return { ok: null }
  },
  token: (command, viewer) => answerToken(command, viewer, TOKENS),
}

/** Lines that any local user may send to the control socket. */
export const target: Target = {
  seeds: [
    '{"request":"status"}',
    '{"request":"reload"}',
    '{"request":"api","method":"POST","path":"/api/v1/jobs/x/trigger","body":{}}',
    '{"request":"crontab","action":"install","text":"* * * * * id\\n"}',
    '{"request":"token","action":"add","name":"x","scope":"read"}',
    '{"request":"token","action":"list"}',
    'null',
    '[]',
  ],
  tokens:
    '{ } [ ] , : null true 0 -1 1e999 "request" "status" "reload" "api" "crontab" "token" "action" "add" "remove" "list" "scope" "method" "GET" "POST" "PUT" "path" "body" "uid" "__proto__" "constructor" "toString"'.split(
      ' ',
    ),
  longest: 200,
  async run(text) {
    done.length = 0
    const answer = await answerRequest({ line: text, uid: 1_000, pid: 7 } as never, ACTIONS)
    must(answer.endsWith('\n') && !answer.slice(0, -1).includes('\n'), 'an answer is one line')
    const parsed = JSON.parse(answer) as Record<string, unknown>
    must('ok' in parsed || typeof parsed['error'] === 'string', 'an answer is a result or an error')
    must(!done.some(each => each.startsWith('reload')), 'another user reloads nothing')
    must(!done.some(each => each.startsWith('token')), 'another user has nothing to do with tokens')
    must(
      done.every(each => !each.startsWith('crontab') || each === 'crontab of 1000'),
      "another user's crontab is out of reach",
    )
    must(
      done.every(each => !/^(GET|POST)/.test(each) || /^(GET|POST) string by user$/.test(each)),
      'the API is asked as that user, with a path',
    )
  },
}
