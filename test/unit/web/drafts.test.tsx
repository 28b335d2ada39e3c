import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keep, readKept } from '../../../web/parts/drafts.ts'
import { lastChoice, rememberChoice } from '../../../web/parts/last-choice.ts'
import { readDraft, writeDraft } from '../../../web/record/conversation/draft.ts'
import { changedFields } from '../../../web/record/unsaved/changed-fields.ts'

const day = 24 * 60 * 60_000
const ada = { tenant: 'demo', userId: 2 }

/** As a browser has it: names are members. */
function storage(): object {
  const stored: Record<string, string> = {}
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, value: string) => void (stored[name] = value),
    removeItem: (name: string) => void delete stored[name],
  }
  return new Proxy(stored, { get: (_, name) => methods[name as keyof typeof methods] })
}

describe('what is typed and not sent yet', () => {
  beforeEach(() => {
    vi.stubGlobal('localStorage', storage())
    return () => vi.unstubAllGlobals()
  })

  it('is kept for one person in one company, until it is forgotten', () => {
    keep(ada, 'item 3', { data: { title: 'Chair' } })
    expect(readKept(ada, 'item 3')).toMatchObject({ data: { title: 'Chair' } })
    for (const other of [
      { ...ada, userId: 3 },
      { ...ada, tenant: 'acme' },
    ])
      expect(readKept(other, 'item 3')).toBeUndefined()
    keep(ada, 'item 3', undefined)
    expect(readKept(ada, 'item 3')).toBeUndefined()
  })

  it('is nothing where what is kept cannot be read, and what was chosen is of one person too', () => {
    localStorage.setItem('draft demo 2 article 5', '{"title": "Half a')
    expect(readKept(ada, 'article 5')).toBeUndefined()
    rememberChoice(ada, 'last-table', 'requests')
    expect([lastChoice(ada, 'last-table'), lastChoice({ ...ada, tenant: 'acme' }, 'last-table')]).toEqual([
      'requests',
      null,
    ])
    expect(lastChoice({ ...ada, userId: 3 }, 'last-table')).toBeNull()
  })

  it('goes when it is old or too much, whatever it is about', () => {
    const now = Date.now()
    keep(ada, 'old', { data: {} }, now - 31 * day)
    keep(ada, 'request 1', { body: 'x' }, now - day)
    for (let id = 1; id <= 49; id++) keep(ada, `requests ${id}`, { body: 'Hello', mentions: {} }, now)
    expect(readKept(ada, 'old')).toBeUndefined()
    expect(readKept(ada, 'request 1')).toMatchObject({ body: 'x' })
    keep(ada, 'fields requests 1', { draft: {} }, now)
    expect(readKept(ada, 'request 1')).toBeUndefined()
  })

  it('is no draft of a conversation when it is something else, or holds no text', () => {
    expect(readDraft({ mode: 'shout', body: 'Hello' })).toBeUndefined()
    expect(readDraft({ mode: 'note' })).toBeUndefined()
    const note = { mode: 'note', body: 'Hello', mentions: { Ada: 2 } } as const
    expect(writeDraft(note)).toEqual(note)
    expect(readDraft(note)).toEqual(note)
    expect(writeDraft({ ...note, body: '  ' })).toBeUndefined()
  })
})

it('a field has changed when its value has, and not when it was empty before and after', () => {
  expect(changedFields({ a: 1, b: null, c: [1] }, { a: 2, c: [1], d: 'x' })).toEqual(['a', 'd'])
})
