import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { declareTypes, type DeclaredTable } from '../../../../../shared/scripts/api/declare-types.ts'

const tables: DeclaredTable[] = [
  {
    name: 'clients',
    label: 'Clients */ declare const evil: 1',
    table_fields: [{ name: 'email', type: 'text', label: 'E-mail\n*/' }],
  },
  {
    name: 'service_requests',
    label: 'Requests',
    table_fields: [
      { name: 'title', type: 'text' },
      { name: 'status', type: 'state_model', states: [{ slug: 'new' }, { slug: 'in-work' }] },
      { name: 'place', type: 'point' },
      { name: 'photos', type: 'file', multiple: true },
      { name: 'client_id', type: 'model_list', target_table: 'clients' },
    ],
  },
]

const good = `
$data.title = 'x'; $data.status = 'in-work'; $data.photos = ['a']; $data.place = { lat: 1, lng: 2 }
const client = $api.find('clients', 'email', $user.email)
if (client) $data.client_id = client.id
const list = $api.query('service_requests', { filter: { status: 'new' }, sort: ['-id'], limit: 5 }).map((one) => one.title)
$api.create('clients', { email: list[0] ?? null })
$api.sendPushNotification('t', 'x', [1]); $api.sendPushNotification('t', 'x', '/u', [1], 'message')
if (!$api.sendSms('+49', 'x')) $api.log($context.run_id, $context.source === 'rule', $record.version ?? 0, $api.date.add(null, 3, 'days'))
if ($incoming && $incoming.channel === 'email') $data.title = $incoming.subject ?? $incoming.payload.title
if ($old && $old.title !== $data.title) throw new Exception('no')
`
const bad = [
  "$data.status = 'closed'",
  '$data.nothing = 1',
  "$api.find('nowhere', 'a', 1)",
  "$api.create('clients', { emial: 'x' })",
  '$user.id = 3',
  "$context.source === 'mail'",
  "$incoming.channel === 'mail'",
  '$api.nothing()',
  'evil',
]

it('declares what scripts can use; anything else is a type error', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'script-types-'))
  try {
    await writeFile(join(directory, 'types.d.ts'), declareTypes(tables, 'service_requests'))
    await writeFile(join(directory, 'script.ts'), good + bad.map((line) => `// @ts-expect-error\n${line}\n`).join(''))
    const tsc = join(import.meta.dirname, '../../../../../node_modules/.bin/tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--lib',
      'es2024',
      '--types',
      '',
      'types.d.ts',
      'script.ts',
    ]
    const said = await promisify(execFile)(tsc, options, { cwd: directory }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    expect(said).toMatchObject({ stdout: '', stderr: '' })
  } finally {
    await rm(directory, { recursive: true })
  }
})

it('declares $data of any shape without a table', () => {
  expect(declareTypes([], undefined)).toContain('declare var $data: Record<string, any>')
})
