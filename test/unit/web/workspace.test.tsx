import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from './support/app.tsx'
import { agent, formOfRequests, recordsOf } from './support/desk.ts'

const list = 'POST /api/e/requests/list-server'
const records = recordsOf(['Chair', 'Desk', 'Lamp'])
const desk = {
  [list]: (body: { group_by?: unknown }) => (body.group_by ? [] : records),
  'GET /api/e/requests/form': formOfRequests(),
  'GET /api/e/requests/1': records[0],
  'GET /api/e/requests/2': records[1],
  'PATCH /api/e/requests/1': { ...records[0], version: 2 },
}
const rowOf = (name: string) => screen.getByRole('row', { name })

describe('the list of a table', () => {
  it('is walked with J and K, selected with X, and opened with Enter', async () => {
    const { user, path } = await openApp('/e/requests', desk)
    await screen.findByRole('row', { name: 'Chair' })
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('4')
    await user.keyboard('j')
    await waitFor(() => expect(document.activeElement).toBe(rowOf('Desk')))
    await user.keyboard('x')
    expect(rowOf('Desk').getAttribute('aria-selected')).toBe('true')
    await user.keyboard('x')
    expect(rowOf('Desk').getAttribute('aria-selected')).toBe('false')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path()).toBe('/e/requests/2'))
  })

  it('is sorted by a press on a column, and asks the service for it', async () => {
    const asked: unknown[] = []
    const { user } = await openApp('/e/requests', {
      ...desk,
      [list]: (body: { sort?: unknown; group_by?: unknown }) => (asked.push(body.sort), body.group_by ? [] : records),
    })
    await screen.findByRole('row', { name: 'Chair' })
    const head = () => screen.getByRole('columnheader', { name: 'Hours' })
    await user.click(within(head()).getByRole('button'))
    await waitFor(() => expect(head().getAttribute('aria-sort')).toBe('ascending'))
    expect(asked).toContainEqual(['hours'])
  })

  it('changes a short field in its row by Enter, with the version that it showed', async () => {
    const { user, sent } = await openApp('/e/requests', desk)
    await screen.findByRole('row', { name: 'Chair' })
    await user.click(screen.getByRole('button', { name: 'Change Hours of Chair' }))
    const field = await screen.findByRole('textbox', { name: 'Hours' })
    await user.clear(field)
    await user.type(field, '7{Enter}')
    await waitFor(() => expect(sent.find(({ to }) => to.startsWith('PATCH'))?.body).toEqual({ hours: 7 }))
    expect(sent.find(({ to }) => to.startsWith('PATCH'))?.headers.get('if-match')).toBe('"1"')
  })

  it('says what to do when it is empty', async () => {
    await openApp('/e/requests', { ...desk, [list]: [] })
    expect(await screen.findByText('No records yet')).toBeTruthy()
  })
})

describe('navigation, palette and keys', () => {
  const destinations = ['My work', 'Incoming', 'Processes', 'Portal']
  const inNavigation = () => {
    const navigation = screen.getByRole('navigation')
    return destinations.filter((name) => within(navigation).queryByRole('link', { name }))
  }
  const inPalette = () => destinations.filter((name) => screen.queryByRole('button', { name }))

  it.each([
    [['requests.*'], ['My work', 'Portal']],
    [
      ['requests.*', 'incoming_messages.read'],
      ['My work', 'Incoming', 'Portal'],
    ],
    [['*'], destinations],
  ])('lead who has %j to %j', async (permissions, expected) => {
    const { user, path } = await openApp('/e/requests', { ...desk, 'GET /api/user': { ...agent, permissions } })
    await screen.findByRole('row', { name: 'Chair' })
    expect(inNavigation()).toEqual(expected)
    await user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('textbox', { name: 'Search or jump to …' })
    expect(inPalette()).toEqual(expected)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('gi')
    await waitFor(() => expect(path()).toBe(expected.includes('Incoming') ? '/incoming' : '/e/requests'))
  })

  it('open the first hit by Enter, also when it is pressed before the records are found', async () => {
    let answer: (found: unknown) => void = () => {}
    const { user, path } = await openApp('/e/requests', {
      ...desk,
      'GET /api/search': () => new Promise((resolve) => (answer = resolve)),
    })
    await screen.findByRole('row', { name: 'Chair' })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('textbox', { name: 'Search or jump to …' }), 'lamp{Enter}')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(path()).toBe('/e/requests')
    answer([{ model: 'requests', label: 'Requests', records: [{ id: 2, title: 'Lamp' }] }])
    await waitFor(() => expect(path()).toBe('/e/requests/2'))
  })

  it('are the tabs of the portal, with what waits for a decision, and its profile', async () => {
    const { user, path } = await openApp('/portal', {
      'GET /api/user': { ...agent, permissions: [] },
      'GET /api/sys/entities': [],
      'GET /api/portal/approvals': [{ id: 1 }, { id: 2 }],
    })
    const tabs = within(await screen.findByRole('navigation', { name: 'Portal' }))
    await tabs.findByText('2 waiting')
    expect(tabs.getAllByRole('link').map(({ textContent: text }) => text?.replace(/\d.*/, ''))).toEqual([
      'Help',
      'My requests',
      'Approvals',
    ])
    await user.keyboard('gp')
    await waitFor(() => expect(path()).toBe('/portal/profile'))
  })
})
