import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMistakesWorld, type MistakesWorld } from '../../make/services/worlds/mistakes-world.ts'

/**
 * Mistakes that people make, and the words that each of them gets. Every message was read as by a stranger: it says what
 * was wrong, what is allowed, and what to do. `UPDATE_MISTAKES=1` writes the current answers into the files, to be read
 * again before they are committed.
 */
interface Mistake {
  readonly mistake: string
  /** Who sends it; default: the administrator. */
  readonly as?: string
  readonly request: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly code: string
  readonly message: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly data?: unknown
}

const folder = join(import.meta.dirname, 'mistakes')
const areas = readdirSync(folder).map((file) => {
  const path = join(folder, file)
  return { area: file.replace('.json', ''), path, mistakes: JSON.parse(readFileSync(path, 'utf8')) as Mistake[] }
})
const isUpdate = process.env.UPDATE_MISTAKES === '1'

let world: MistakesWorld
beforeAll(async () => {
  world = await makeMistakesWorld()
})
afterAll(() => world?.service.stop())

async function answerTo({ as = 'admin', request, body, headers }: Mistake) {
  const [method = '', path = ''] = request.split(/ (.*)/)
  if (!(as in world.tokens)) throw new Error(`nobody is called ${as}`)
  const answer = await world.service.api(method, path, { token: world.tokens[as], body, headers })
  const { code, message, errors, data } = answer.body ?? {}
  return { status: answer.status, code, message, ...(errors && { errors }), ...(data ? { data } : {}) }
}

it('are at least 120', () => {
  expect(areas.flatMap(({ mistakes }) => mistakes).length).toBeGreaterThanOrEqual(120)
})

describe.each(areas)('the messages about $area', ({ path, mistakes }) => {
  it.runIf(isUpdate)('are written down', async () => {
    const answered: Mistake[] = []
    for (const mistake of mistakes) {
      const { mistake: name, as, request, body, headers } = mistake
      answered.push({ mistake: name, as, request, body, headers, ...(await answerTo(mistake)) })
    }
    writeFileSync(path, `${JSON.stringify(answered, null, 2)}\n`)
  })

  it.skipIf(isUpdate).each(mistakes)('explain $mistake', async (mistake) => {
    const { status, code, message, errors, data } = mistake
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(await answerTo(mistake)).toEqual({
      status,
      code,
      message,
      ...(errors && { errors }),
      ...(data ? { data } : {}),
    })
  })
})
