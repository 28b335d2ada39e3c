import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { keep, readKept, useDraft } from '../../../web/parts/drafts.ts'
import { lastChoice, rememberChoice } from '../../../web/parts/last-choice.ts'
import { readDraft, writeDraft } from '../../../web/record/conversation/draft.ts'
import { changedFields } from '../../../web/record/unsaved/changed-fields.ts'
import { show } from './support/app.tsx'
import { agent } from './support/desk.ts'

const day = 24 * 60 * 60_000
const ada = { tenant: 'demo', userId: 2 }

describe('what is typed and not sent yet', () => {
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

describe('a draft on the screen', () => {
  function Note() {
    const { draft, isKept, change, clear } = useDraft('note 1', { text: '', tags: [] as string[] })
    return (
      <form>
        {isKept && <p role="status">Kept</p>}
        <input aria-label="Text" value={draft.text} onChange={(event) => change({ text: event.currentTarget.value })} />
        <button type="button" onClick={() => (change({ text: 'Both' }), change({ tags: ['kept'] }))}>
          Twice
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
        <output>{JSON.stringify(draft)}</output>
      </form>
    )
  }
  const shown = (): unknown => JSON.parse(screen.getByRole('status', { name: '' }).textContent)

  it('is as it was left, for the same person in the same company only', async () => {
    const { user, unmount } = show(<Note />)
    await user.type(screen.getByLabelText('Text'), 'Hello')
    unmount()
    for (const other of [
      { ...agent, id: 3 },
      { ...agent, tenant: { ...agent.tenant, slug: 'acme' } },
    ]) {
      const { unmount: leave } = show(<Note />, { 'GET /api/user': other })
      expect(screen.getByLabelText<HTMLInputElement>('Text').value).toBe('')
      leave()
    }
    show(<Note />)
    expect(screen.getByLabelText<HTMLInputElement>('Text').value).toBe('Hello')
    expect(screen.getByText('Kept')).toBeTruthy()
  })

  it('begins anew when it is cleared, and says no more that it was kept', async () => {
    keep({ tenant: 'demo', userId: agent.id }, 'note 1', { text: 'Old' })
    const { user } = show(<Note />)
    expect(screen.getByText('Kept')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByText('Kept')).toBeNull()
    expect(shown()).toEqual({ text: '', tags: [] })
    expect(readKept({ tenant: 'demo', userId: agent.id }, 'note 1')).toBeUndefined()
  })

  it('keeps two changes of one moment', async () => {
    const { user } = show(<Note />)
    await user.click(screen.getByRole('button', { name: 'Twice' }))
    expect(shown()).toEqual({ text: 'Both', tags: ['kept'] })
  })
})
