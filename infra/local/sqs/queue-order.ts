/** The order in which a queue hands out its visible messages: any order for a standard queue, per group for a FIFO queue. */

export interface Ordered {
  readonly sequence: number
  readonly group: string | undefined
  /** Deleted messages stay in line until their turn, and are passed over. */
  gone: boolean
}

export interface Order<M extends Ordered> {
  /** A message became visible: new, or back from a consumer that failed. */
  add(message: M): void
  take(max: number): M[]
  /** A taken message was deleted or added again: its group may go on. */
  settle(message: M): void
}

/** A first-in first-out line; `shift` costs nothing however long it grows. */
class Line<T> {
  #items: T[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const item = this.#items[this.#head++]
    if (this.#head > 1000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}

export function standardOrder<M extends Ordered>(): Order<M> {
  const line = new Line<M>()
  return {
    add: (message) => line.push(message),
    take(max) {
      const taken: M[] = []
      while (taken.length < max && line.length > 0) {
        const message = line.shift()!
        if (!message.gone) taken.push(message)
      }
      return taken
    },
    settle() {},
  }
}

interface Group<M> {
  readonly name: string
  messages: M[]
  /** Messages handed out and not yet settled: while there are any, the rest of the group waits. */
  taken: number
  inLine: boolean
}

export function fifoOrder<M extends Ordered>(): Order<M> {
  const groups = new Map<string, Group<M>>()
  const line = new Line<Group<M>>()

  function queueUp(group: Group<M>): void {
    if (group.inLine || group.taken > 0 || group.messages.length === 0) return
    group.inLine = true
    line.push(group)
  }

  return {
    add(message) {
      const name = message.group ?? ''
      let group = groups.get(name)
      if (!group) groups.set(name, (group = { name, messages: [], taken: 0, inLine: false }))
      const after = group.messages.findLastIndex((other) => other.sequence < message.sequence)
      group.messages.splice(after + 1, 0, message)
      queueUp(group)
    },
    take(max) {
      const taken: M[] = []
      while (taken.length < max && line.length > 0) {
        const group = line.shift()!
        group.inLine = false
        group.messages = group.messages.filter((message) => !message.gone)
        const next = group.messages.splice(0, max - taken.length)
        group.taken += next.length
        taken.push(...next)
        if (group.messages.length === 0 && group.taken === 0) groups.delete(group.name)
      }
      return taken
    },
    settle(message) {
      const group = groups.get(message.group ?? '')
      if (!group) return
      group.taken--
      queueUp(group)
      if (group.messages.length === 0 && group.taken === 0) groups.delete(group.name)
    },
  }
}
