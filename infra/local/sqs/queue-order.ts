/** The order in which a queue hands out visible messages: any order for a standard queue, by group for a FIFO queue. */

export interface OrderedMessage {
  readonly sequence: number
  readonly group: string | undefined
  /** Deleted messages stay in the list and are skipped. */
  deleted: boolean
}

export interface MessageOrder<M extends OrderedMessage> {
  /** Adds a message that became visible: a new one, or one whose consumer failed. */
  add(message: M): void
  take(max: number): M[]
  /** A taken message was deleted or added again, which unblocks its group. */
  release(message: M): void
}

/** A first-in, first-out list with a cheap `shift`. */
class FirstInFirstOut<T> {
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

/** Fair, as SQS is between the groups of a standard queue: groups take turns, so that none waits for a long one. */
export function standardOrder<M extends OrderedMessage>(): MessageOrder<M> {
  const groups = new Map<string, FirstInFirstOut<M>>()
  const turns = new FirstInFirstOut<string>()
  return {
    add(message) {
      const name = message.group ?? ''
      const waiting = groups.get(name)
      if (waiting) return waiting.push(message)
      const group = new FirstInFirstOut<M>()
      group.push(message)
      groups.set(name, group)
      turns.push(name)
    },
    take(max) {
      const taken: M[] = []
      while (taken.length < max && turns.length > 0) {
        const name = turns.shift()!
        const group = groups.get(name)!
        const message = group.shift()!
        if (!message.deleted) taken.push(message)
        if (group.length > 0) turns.push(name)
        else groups.delete(name)
      }
      return taken
    },
    release() {},
  }
}

/** Any order, as it is promised: the messages that have waited for long are not always the first. */
export function randomOrder<M extends OrderedMessage>(random: () => number): MessageOrder<M> {
  let waiting: M[] = []
  return {
    add: (message) => void waiting.push(message),
    take(max) {
      waiting = waiting.filter((message) => !message.deleted)
      const taken: M[] = []
      while (taken.length < max && waiting.length > 0) {
        const at = Math.floor(random() * waiting.length)
        const last = waiting.pop()!
        taken.push(waiting[at] ?? last)
        if (at < waiting.length) waiting[at] = last
      }
      return taken
    },
    release() {},
  }
}

interface Group<M> {
  readonly name: string
  messages: M[]
  /** Messages taken and not yet released. While there are any, the rest of the group is blocked. */
  taken: number
  isQueued: boolean
}

export function fifoOrder<M extends OrderedMessage>(): MessageOrder<M> {
  const groups = new Map<string, Group<M>>()
  const queue = new FirstInFirstOut<Group<M>>()

  function enqueue(group: Group<M>): void {
    if (group.isQueued || group.taken > 0 || group.messages.length === 0) return
    group.isQueued = true
    queue.push(group)
  }

  return {
    add(message) {
      const name = message.group ?? ''
      let group = groups.get(name)
      if (!group) groups.set(name, (group = { name, messages: [], taken: 0, isQueued: false }))
      const after = group.messages.findLastIndex((other) => other.sequence < message.sequence)
      group.messages.splice(after + 1, 0, message)
      enqueue(group)
    },
    take(max) {
      const taken: M[] = []
      while (taken.length < max && queue.length > 0) {
        const group = queue.shift()!
        group.isQueued = false
        group.messages = group.messages.filter((message) => !message.deleted)
        const next = group.messages.splice(0, max - taken.length)
        group.taken += next.length
        taken.push(...next)
        if (group.messages.length === 0 && group.taken === 0) groups.delete(group.name)
      }
      return taken
    },
    release(message) {
      const group = groups.get(message.group ?? '')
      if (!group) return
      group.taken--
      enqueue(group)
      if (group.messages.length === 0 && group.taken === 0) groups.delete(group.name)
    },
  }
}
