import { say } from '../../../kernel/failures/sentence.ts'
import { schemaAt } from '../../../platform/http/openapi/document-types.ts'
import { orderedText } from '../../../platform/store/slots.ts'
import { defineFieldType, type MessageReaders } from '../declaration.ts'
import { jsonInCell } from './json-in-cell.ts'
import { numberInCell, numberInMessage } from './number/number-type.ts'

export const point = defineFieldType({
  description: 'A place on earth: `{ lat, lng }`.',
  properties: {},
  mayBeUnique: false,
  check({ name }, value) {
    const wrong = { error: say('not_point', { field: name }) }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
    const { lat, lng, ...rest } = value as Record<string, unknown>
    if (Object.keys(rest).length > 0) return wrong
    const within = (part: unknown, limit: number): boolean => typeof part === 'number' && Math.abs(part) <= limit
    return within(lat, 90) && within(lng, 180) ? { value: { lat, lng } } : wrong
  },
  kind: 'point',
  objects: {
    has: (value) => 'lat' in value,
    columnText(value) {
      const { lat, lng } = value as { lat: number; lng: number }
      return `${orderedText(lat)},${orderedText(lng)}`
    },
  },
  reference: {
    value: schemaAt('Point'),
    shared: {
      Point: {
        type: 'object',
        required: ['lat', 'lng'],
        properties: {
          lat: { type: 'number', minimum: -90, maximum: 90 },
          lng: { type: 'number', minimum: -180, maximum: 180 },
        },
        additionalProperties: false,
      },
    },
  },
  example: () => ({ lat: 48.2, lng: 16.37 }),
  scriptType: () => '{ lat: number; lng: number }',
  /** `{"lat":52.5,"lng":13.4}`, as an export writes it, or `52.5, 13.4`. */
  readCell(_, text) {
    if (text.trimStart().startsWith('{')) return jsonInCell(text)
    const [lat, lng, ...more] = text.split(',').map(numberInCell)
    return lat === undefined || lng === undefined || more.length > 0 ? text : { lat, lng }
  },
  readMessage: (_, value, read) => pointIn(value, read),
})

/** `{ lat, lng }`, the `{ latitude, longitude }` of a messenger, or `52.5, 13.4` as text. */
function pointIn(value: unknown, read: MessageReaders): unknown {
  if (typeof value === 'string') {
    const [lat, lng, ...more] = value.replace(/^geo:/i, '').split(',').map(read.number)
    return lat === undefined || lng === undefined || more.length > 0 ? value : { lat, lng }
  }
  if (typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const [lat, lng] = [given.lat ?? given.latitude, given.lng ?? given.lon ?? given.longitude]
  return lat === undefined || lng === undefined
    ? value
    : { lat: numberInMessage(lat, read), lng: numberInMessage(lng, read) }
}
