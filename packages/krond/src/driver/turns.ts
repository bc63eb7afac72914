/** What concerns one slot is done one after the other, whatever else goes on. */
export class Turns {
  private readonly last = new Map<number, Promise<void>>()

  async take(slot: number, act: () => Promise<void>): Promise<void> {
    const turn = (this.last.get(slot) ?? Promise.resolve()).then(act)
    this.last.set(slot, turn)
    await turn
    if (this.last.get(slot) === turn) this.last.delete(slot)
  }
}
