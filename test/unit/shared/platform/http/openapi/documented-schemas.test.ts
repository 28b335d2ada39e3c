import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openApiDocument } from '../../../../../../shared/platform/http/openapi/openapi-document.ts'
import { info, document, bodyOf, makeThing } from '../../../../../make/builders/sample-document.ts'

describe('the documentation of schemas', () => {
  it('moves what is shared or refers to itself into the components', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Failure', 'PageMeta', 'PageLinks', 'LoginResult', 'Note', 'PatchRecordBody0']),
    )
    expect(document.components.schemas.PatchRecordBody0?.properties?.children).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/PatchRecordBody0' },
    })
  })

  it('gives a body that refers to itself at its root a name', () => {
    const Tree = z.object({
      get kids() {
        return z.array(Tree)
      },
    })
    const { paths, components } = openApiDocument([makeThing({ body: Tree })], info)
    expect(paths['/api/things']?.post?.requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/CreateThingBody',
    })
    expect(components.schemas.CreateThingBody?.properties?.kids).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/CreateThingBody' },
    })
  })

  it('uses the declared type where no schema can express it', () => {
    const At = z
      .preprocess((value) => value, z.date())
      .meta({ type: 'string', format: 'date-time', description: 'When.' })
    const made = openApiDocument([makeThing({ body: z.object({ at: At }) })], info)
    expect(bodyOf(made, '/api/things').properties?.at).toEqual({
      type: 'string',
      format: 'date-time',
      description: 'When.',
    })
  })

  it('allows any value where a route accepts any JSON', () => {
    const made = openApiDocument([makeThing({ body: z.object({ value: z.json(), more: z.array(z.json()) }) })], info)
    expect(bodyOf(made, '/api/things').properties).toEqual({
      value: {},
      more: { type: 'array', items: {} },
    })
    expect(Object.keys(made.components.schemas)).toEqual(['CreateThingBody', 'Failure', 'NoDataEnvelope'])
  })

  it('shares bodies and answers under the name that they are given, else under that of the operation', () => {
    const Thing = z.object({ id: z.int(), name: z.string() })
    const { paths, components } = openApiDocument([makeThing({ body: Thing, answer: z.object({ ok: z.boolean() }) })], {
      ...info,
      names: new Map([[Thing, 'Thing']]),
    })
    const { requestBody, responses } = paths['/api/things']?.post ?? {}
    expect(requestBody?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Thing' })
    expect(responses?.['201']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThingDataEnvelope' } } },
    })
    expect(components.schemas.CreateThingData?.properties).toEqual({ ok: { type: 'boolean' } })
  })

  it('gives an object that occurs twice a name, and keeps what is said about each', () => {
    const person = () => z.object({ id: z.int(), name: z.string() })
    const { components } = openApiDocument(
      [makeThing({ body: z.object({ owner: person(), users: z.array(person()).meta({ description: 'All.' }) }) })],
      info,
    )
    expect(components.schemas.CreateThingBody?.properties).toEqual({
      owner: { $ref: '#/components/schemas/CreateThingBodyOwner' },
      users: { type: 'array', description: 'All.', items: { $ref: '#/components/schemas/CreateThingBodyOwner' } },
    })
    expect(components.schemas.CreateThingBodyOwner?.required).toEqual(['id', 'name'])
  })

  it('refuses two different schemas of one name, and two routes at one address', () => {
    const named = (schema: z.ZodType) => schema.meta({ id: 'Thing' })
    expect(() =>
      openApiDocument(
        [makeThing({ body: named(z.object({ a: z.string() })), answer: named(z.object({ b: z.string() })) })],
        info,
      ),
    ).toThrow('called Thing')
    expect(() => openApiDocument([makeThing({}), makeThing({})], info)).toThrow('createThing is taken')
  })
})
