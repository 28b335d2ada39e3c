import { Process } from 'bpmn-elements'

/** Moves the tokens of a process until all of them wait; true: none is left. */
export type MoveTokens = () => Promise<boolean>

/**
 * What bpmn-elements runs for a process, in place of its own: the tokens of this folder. Its own elements hold one
 * token at a time, keep state in queues that only fit the version that wrote them, and get joins, loops and timers wrong.
 */
export class TokenProcess extends Process {
  override run(): void {
    this.tell('enter')
    this.tell('start')
    void this.move()
  }

  private async move(): Promise<void> {
    try {
      const isOver = await (this.environment.getServiceByName('moveTokens') as MoveTokens)()
      for (const what of isOver ? ['end', 'leave'] : ['wait']) this.tell(what)
    } catch (error) {
      this.tell('error', { error })
    }
  }

  private tell(what: string, more: Record<string, unknown> = {}): void {
    const { id, type, executionId } = this
    this.broker.publish('event', `process.${what}`, { id, type, executionId, state: what, ...more }, { type: what })
  }
}
