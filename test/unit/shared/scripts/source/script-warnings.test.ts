import { describe, expect, it } from 'vitest'
import { scriptWarnings } from '../../../../../shared/scripts/source/script-warnings.ts'

const table = { name: 'requests', fields: ['title', 'priority', 'place'] }
const messages = (script: string) => scriptWarnings(script, table).map(({ message }) => message)

describe('warnings of a script', () => {
  it.each([
    ['$data.titel = 1', '$data.titel: the table requests has no field titel. Did you mean title?'],
    ['if ($old->priorty > 3) return', '$old.priorty: the table requests has no field priorty. Did you mean priority?'],
    ["$data['owner'] = 1", '$data.owner: the table requests has no field owner.'],
    ['x = () => `${$data?.tilte}`', '$data.tilte: the table requests has no field tilte. Did you mean title?'],
    ['$record.created', '$record.created: $record has no member created.'],
    ['$user.role', '$user.role: $user has no member role. Did you mean roles?'],
    ['$context.runid', '$context.runid: $context has no member runid. Did you mean run_id?'],
  ])('%s', (script, message) => {
    expect(messages(script)).toEqual([message])
  })

  it.each([
    '$data.title = $old.place.lat + $data.id',
    '$data[$data.title] = 1',
    '$data.hasOwnProperty("x")',
    '$record.version; $user.roles.includes("a"); $context.source',
    'const data = {}; data.titel = 1',
    '// $data.titel',
    '"$data.titel"',
    '$data.titel = (',
  ])('has none for %s', (script) => {
    expect(messages(script)).toEqual([])
  })

  it('names line and column, each name once, and at most twenty', () => {
    const script = '\n  $data.titel = 1\n  $data.titel = 2'
    expect(scriptWarnings(script, table)).toEqual([
      { line: 2, column: 9, code: 'unknown_field', message: expect.any(String) },
    ])
    expect(messages(Array.from({ length: 30 }, (_, n) => `$data.none_${n}`).join('\n'))).toHaveLength(20)
  })

  it('says nothing of fields while the table is not known', () => {
    expect(scriptWarnings('$data.titel; $user.role', undefined)).toHaveLength(1)
  })
})
