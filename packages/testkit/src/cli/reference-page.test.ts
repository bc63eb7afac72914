import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROGRAM } from './demo.ts'
import { referencePage } from './reference-page.ts'

test('the reference page holds what the help texts hold', () => {
  assert.equal(
    referencePage(PROGRAM),
    `# demo

Shows how commands are described.

| command | does |
|---|---|
| [\`show\`](#show) | show a job |
| [\`list\`](#list) | list the user's jobs |

| option |  |
|---|---|
| \`--format FORMAT\` | how to print (text \\| json) |
| \`-h, --help\` | show this help |
| \`-V, --version\` | show the version |

## show

Show a job.

\`\`\`
demo show <job> [<shell>] [options]
\`\`\`

It shows the job that is named, and it says so in a paragraph that is long enough to be filled.

| argument |  |
|---|---|
| \`job\` | which job |
| \`shell\` | which shell |

| option |  |
|---|---|
| \`-f, --file FILE\` | a file to read (may be repeated) |
| \`--count N\` | how many (default: 10) |
| \`-q, --quiet\` | say less |

\`\`\`sh
# shows the job backup
demo show backup
\`\`\`

| exit status | when |
|---|---|
| 0 | shown |

## list

List the user's jobs.

\`\`\`
demo list [options]
\`\`\`
`,
  )
})
