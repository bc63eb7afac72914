/** Whether the key press belongs to a field, or to the browser. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const target = event.target as HTMLElement | null
  return target !== null && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
