import type { Command } from '../../../cli/src/spec.ts'

/** A small program with every kind of option and argument. */
export const PROGRAM: Command = {
  name: 'demo',
  summary: 'shows how commands are described',
  options: { format: { kind: 'text', value: 'FORMAT', choices: ['text', 'json'], summary: 'how to print' } },
  commands: [
    {
      name: 'show',
      summary: 'show a job',
      details: [
        'It shows the job that is named, and it says so in a paragraph that is long enough to be filled.',
      ],
      arguments: [
        { name: 'job', summary: 'which job', completes: 'job' },
        { name: 'shell', summary: 'which shell', optional: true, choices: ['bash', 'zsh'] },
      ],
      options: {
        file: { kind: 'list', value: 'FILE', short: 'f', completes: 'file', summary: 'a file to read' },
        count: { kind: 'text', value: 'N', summary: 'how many', otherwise: '10' },
        quiet: { kind: 'flag', short: 'q', summary: 'say less' },
      },
      examples: [{ line: 'demo show backup', does: 'shows the job backup' }],
      exits: [{ code: 0, when: 'shown' }],
    },
    { name: 'list', summary: "list the user's jobs" },
  ],
}
