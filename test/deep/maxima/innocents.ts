import { setTimeout as pause } from 'node:timers/promises'
import type { ApiAnswer, TestService } from '../../make/services/service.ts'

/** A change appears in lists and searches within this time (contract §1, freshness). */
const freshMs = 2_000
/** What a busy machine may add to it. */
const graceMs = 6_000
/** Between two looks, which take time themselves. */
const lookMs = 150

/** Writes a record in each of these tenants while a case runs: each is listed and found in time, else says so. */
export async function beInnocent(service: TestService, tokens: readonly string[], model: string): Promise<string[]> {
  const late = await Promise.all(
    tokens.map(async (token, index) => {
      const name = `innocent ${model}`
      const made = await service.api('POST', '/api/e/innocents', { token, body: { name } })
      if (made.status !== 201) return `an innocent record of tenant ${index + 1} was refused: ${made.status}`
      for (const until = Date.now() + freshMs + graceMs; Date.now() < until; await pause(lookMs)) {
        const found = await service.api('GET', `/api/e/innocents?per_page=1000&search=${model}`, { token })
        const filter = encodeURIComponent(JSON.stringify({ name }))
        const listed = await service.api('GET', `/api/e/innocents?filter=${filter}`, { token })
        if (names(found).includes(name) && names(listed).includes(name)) return undefined
      }
      return `an innocent record of tenant ${index + 1} is not found`
    }),
  )
  return late.filter((text) => text !== undefined)
}

const names = ({ body }: ApiAnswer): string[] =>
  body?.data?.map(({ data }: { data: { name: string } }) => data.name) ?? []
