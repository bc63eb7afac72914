/** A number worth reading from afar, with what it means. */
export function Figure(props: { label: string; value: string; note: string; accent?: boolean }) {
  return (
    <div class={props.accent ? 'figure accent' : 'figure'}>
      <span class="figure-label">{props.label}</span>
      <span class="figure-value">{props.value}</span>
      <span class="faint">{props.note}</span>
    </div>
  )
}
