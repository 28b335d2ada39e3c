import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Caller } from '../../../../../../shared/kernel/principal.ts'
import { administrator, signedIn } from '../../../../../../shared/platform/http/routing/define-route.ts'
import { implementVerbs, verbRoutes } from '../../../../../../shared/platform/http/routing/verb-routes.ts'

const Door = z.object({ id: z.int(), is_open: z.boolean() })
const door = { id: 1, is_open: true }
const routes = verbRoutes(
  {
    path: '/api/doors/{id}',
    tag: 'Doors',
    permission: signedIn,
    params: z.object({ id: z.coerce.number() }),
    alsoFails: [409],
    answer: Door,
    of: { id: 1 },
  },
  {
    open: { summary: 'Open a door', example: { answer: door } },
    paint: {
      at: 'colour',
      summary: 'Paint a door',
      permission: administrator,
      alsoFails: [403],
      body: z.object({ colour: z.string() }),
      answer: z.object({ colour: z.string() }),
      example: { body: { colour: 'red' }, answer: { colour: 'red' } },
    },
    wear: { method: 'GET', summary: 'See how it wears', example: { params: { id: 2 }, answer: door } },
  },
)

describe('the routes of verbs', () => {
  it('have what all of them share, under an address that ends with the verb', () => {
    expect(routes.open).toMatchObject({
      key: 'POST /api/doors/{id}/open',
      tag: 'Doors',
      permission: signedIn,
      alsoFails: [409],
      answer: Door,
      status: 200,
      example: { params: { id: 1 }, answer: door },
    })
  })

  it('have what is their own instead', () => {
    expect(routes.paint).toMatchObject({
      key: 'POST /api/doors/{id}/colour',
      permission: administrator,
      alsoFails: [403],
      example: { params: { id: 1 }, body: { colour: 'red' } },
    })
    expect(routes.paint.answer).not.toBe(Door)
    expect(routes.wear).toMatchObject({ key: 'GET /api/doors/{id}/wear', example: { params: { id: 2 } } })
  })

  it('are bound to what they do with the services, the caller, the id and the body', async () => {
    const caller = { userId: 7 } as Caller
    const services = { doors: 3 }
    const bound = implementVerbs(routes, services, {
      open: async (_services, _caller, id) => ({ id, is_open: true }),
      paint: async (given, by, id, { colour }, { requestId }) => ({
        colour: [colour, given.doors, by.userId, id, requestId].join(' '),
      }),
      wear: async (_services, _caller, id) => ({ id, is_open: false }),
    })
    expect(bound.map(({ route }) => route)).toEqual([routes.open, routes.paint, routes.wear])
    const answers = bound.map(({ answer }) =>
      answer({ caller, params: { id: 5 }, body: { colour: 'blue' }, requestId: 'r' } as never),
    )
    expect(await Promise.all(answers)).toEqual([
      { id: 5, is_open: true },
      { colour: 'blue 3 7 5 r' },
      { id: 5, is_open: false },
    ])
  })
})
