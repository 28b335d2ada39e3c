import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { marshal, unmarshal, type Item } from '../../../../../../shared/platform/store/values/marshal.ts'

const attribute = fc.oneof(
  fc.string(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 20 }),
  fc.array(fc.string(), { maxLength: 4 }),
)
const item = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'),
  attribute,
  { maxKeys: 8 },
)

describe('the marshaller', () => {
  it('writes the same as the SDK', () => {
    fc.assert(
      fc.property(item, (value) => {
        expect(marshal(value)).toEqual(marshall(value))
      }),
    )
  })

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(item, (value) => {
        expect(unmarshal(marshal(value))).toEqual(unmarshall(marshall(value)))
      }),
    )
  })

  it('leaves undefined members out', () => expect(marshal({ a: undefined, b: 1 })).toEqual({ b: { N: '1' } }))

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'refuses the number %d, which DynamoDB would change',
    (value) => {
      expect(() => marshal({ value } as Item)).toThrow(RangeError)
    },
  )
})
