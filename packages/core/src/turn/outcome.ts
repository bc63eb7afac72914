/** How a period ended: it ran, or why it did not. */
export type Outcome = 'executed' | 'skipped' | 'missed' | 'unschedulable'
