import { Process } from 'bpmn-elements'

/** Moves the tokens of a process until all of them wait. True: no token is left. */
export type MoveTokens = () => Promise<boolean>

/** The process behaviour we plug into bpmn-elements, so that our own tokens run the process (docs/decisions/0022). */
export class TokenProcess extends Process {
  override run(): void {
    this.publish('enter')
    this.publish('start')
    void this.move()
  }

  private async move(): Promise<void> {
    try {
      const isOver = await (this.environment.getServiceByName('moveTokens') as MoveTokens)()
      for (const what of isOver ? ['end', 'leave'] : ['wait']) this.publish(what)
    } catch (error) {
      this.publish('error', { error })
    }
  }

  private publish(what: string, more: Record<string, unknown> = {}): void {
    const { id, type, executionId } = this
    this.broker.publish('event', `process.${what}`, { id, type, executionId, state: what, ...more }, { type: what })
  }
}
