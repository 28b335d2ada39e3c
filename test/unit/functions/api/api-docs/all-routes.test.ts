import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { allRoutes } from '../../../../../functions/api/api-docs/all-routes.ts'
import { apiDocument } from '../../../../../functions/api/api-docs/api-document.ts'
import { readGuides } from '../../../../../functions/api/api-docs/guides.ts'
import { deployedFunctions } from '../../../../../infra/catalogue/functions.ts'
import { kindOfCode } from '../../../../../shared/kernel/failures/failure-codes.ts'
import { explainedCodes } from '../../../../../shared/platform/http/openapi/explained-codes.ts'
import { answerRules } from '../../../../make/oracles/answer-rules.ts'
import { brokenRules } from '../../../../make/oracles/broken-rules.ts'
import { notYet, ourChoice, specifiedEndpoints } from '../../../../make/oracles/specified-endpoints.ts'

const reference = apiDocument({ version: '1.2.3', serverUrl: 'http://localhost:3000' })
const { schemaProblem } = answerRules(reference)
const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
)
const later = Object.values(notYet).flat()
const routeKeys = allRoutes.map(({ key }) => key)

describe('the endpoints of the specification', () => {
  it.each(specifiedEndpoints)('%s has a route, or a reason why it has none yet', (key) => {
    expect(routeKeys.includes(key)).toBe(!later.includes(key))
  })

  it('are the only ones that are listed as not implemented yet', () => {
    expect(later.filter((key) => !specifiedEndpoints.includes(key))).toEqual([])
    expect(new Set(later).size).toBe(later.length)
  })

  it('our choice: are extended by the listed endpoints and no others', () => {
    expect(routeKeys.filter((key) => !specifiedEndpoints.includes(key)).sort()).toEqual([...ourChoice].sort())
  })
})

describe('the API reference of this service', () => {
  it('has an entry for every route that is deployed, and no other', () => {
    // The page of the web app is no part of the API.
    const deployed = deployedFunctions.flatMap(({ trigger }) =>
      trigger.kind === 'routes'
        ? trigger.routes.flatMap(({ key, path }) => (path.startsWith('/api/') ? [key] : []))
        : [],
    )
    expect(routeKeys.toSorted()).toEqual(deployed.toSorted())
    expect(operations.map(({ key }) => key).sort()).toEqual(deployed.toSorted())
  })

  it('is valid against the published schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(JSON.stringify(reference)))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('would be refused with an invalid parameter', async () => {
    const broken = structuredClone(reference)
    const [operation] = Object.values(broken.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters }) => parameters?.length)
    Object.assign(operation?.parameters?.[0] ?? {}, { in: 'nowhere' })
    expect(await new Validator().validate(JSON.parse(JSON.stringify(broken)))).toMatchObject({ valid: false })
  })

  it('breaks no rule that the schema cannot check', () => {
    expect(brokenRules(reference)).toEqual([])
  })

  it('has a description of every section', () => {
    expect(reference.tags.filter(({ description }) => !description)).toEqual([])
  })

  it.each(operations)('has valid examples of request and answer of $key', ({ operation }) => {
    const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
    const answers = response && 'content' in response ? Object.values(response.content ?? {}) : []
    const sent = Object.values(operation.requestBody?.content ?? {})
    const parameters = (operation.parameters ?? []).filter(({ example }) => example !== undefined)
    expect(
      [...sent, ...answers, ...parameters].flatMap(({ schema, example }) => schemaProblem(schema, example) ?? []),
    ).toEqual([])
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
  })
})

describe('the failure codes', () => {
  const { Failure } = reference.components.schemas
  const { enum: listed, description = '' } = Failure?.properties?.code ?? {}

  it('are the ones that faults carry, and six that no fault does', () => {
    const unthrown = [
      'headers_too_large',
      'internal_error',
      'malformed_request',
      'request_timeout',
      'throttled',
      'unhealthy',
    ]
    expect(explainedCodes.map(({ code }) => code).toSorted()).toEqual(
      [...Object.keys(kindOfCode), ...unthrown].toSorted(),
    )
    expect(listed).toEqual(explainedCodes.map(({ code }) => code))
    expect(Failure?.required).toContain('code')
  })

  it.each(explainedCodes)(
    '$code is explained in the document and in the guides',
    async ({ code, status, meaning, remedy }) => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[`A-Z].*\.$/s)
      expect(description).toContain(`- \`${code}\` (${status}): ${meaning} ${remedy}`)
      const guide = (await readGuides()).find(({ name }) => name === 'failure-codes')
      expect(guide?.text).toContain(`| \`${code}\` | ${meaning} | ${remedy} |`)
    },
  )

  it('send nobody to an endpoint that does not exist', () => {
    const named = explainedCodes.flatMap(({ remedy }) =>
      [...remedy.matchAll(/`((?:GET|POST) [^`]+)`/g)].map(([, key]) => key as string),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((key) => !routeKeys.includes(key))).toEqual([])
  })

  it('have the status of the response whose example carries them', () => {
    const statusOf = new Map(explainedCodes.map(({ code, status }) => [code as string, status]))
    for (const { key, operation } of operations)
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!('$ref' in response)) continue
        const shared = reference.components.responses[response.$ref.replace('#/components/responses/', '')]
        const example = shared?.content?.['application/json']?.example as { code: string } | undefined
        expect(statusOf.get(example?.code ?? ''), `${key} ${status}`).toBe(Number(status))
      }
  })
})
