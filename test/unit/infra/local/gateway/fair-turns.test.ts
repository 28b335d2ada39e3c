import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fairTurns } from '../../../../../infra/local/gateway/fair-turns.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** Requests that run until they are ended, by name: `a1` is the first one of the caller `a`. */
function openGateway() {
  const turns = fairTurns()
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    ask(...names: string[]) {
      for (const name of names)
        turns.take(name.charAt(0), () => {
          started.push(name)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        })
    },
    async end(name: string) {
      ends.get(name)?.()
      await Promise.resolve()
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

describe('turns', () => {
  it('hold back nobody who is alone', () => {
    const { started, ask } = openGateway()
    ask('a1', 'a2', 'a3')
    expect(started).toEqual(['a1', 'a2', 'a3'])
  })

  it('let a caller in between the requests of another one', async () => {
    const { started, ask, end } = openGateway()
    ask('a1', 'b1', 'a2', 'a3', 'a4')
    expect(started).toEqual(['a1', 'b1'])
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
    await end('b1')
    ask('b2')
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2'])
    await end('a2')
    await end('a3')
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('pass on when a request takes long: it waits for something', () => {
    const { started, ask } = openGateway()
    ask('a1', 'b1', 'a2', 'a3')
    vi.advanceTimersByTime(51)
    expect(started).toEqual(['a1', 'b1', 'a2'])
    vi.advanceTimersByTime(51)
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('are no more needed once the others have been idle for a second', async () => {
    const { started, ask, end } = openGateway()
    ask('a1', 'b1', 'a2')
    await end('b1')
    await end('a1')
    await end('a2')
    vi.advanceTimersByTime(1_200)
    ask('a3', 'a4')
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  })

  it('go on after a request that failed', async () => {
    const turns = fairTurns()
    const started: string[] = []
    turns.take('b', async () => {})
    turns.take('a', () => Promise.reject(new Error('broken')).catch(() => {}))
    turns.take('a', async () => void started.push('a2'))
    await vi.advanceTimersByTimeAsync(1)
    expect(started).toEqual(['a2'])
  })
})
