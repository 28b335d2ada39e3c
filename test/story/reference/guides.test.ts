import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuides } from '../../../functions/api/api-docs/guides.ts'
import { wfDescriptor } from '../../../shared/automation/bpmn/document/read/wf-descriptor.ts'
import { type DemoService, startDemo } from '../../make/services/demo-service.ts'
import { blocksOf, wrongSamples } from './guide-samples.ts'

/** The tutorial begins with an empty company, in `service-desk.deep.test.ts`. */
const all = await readGuides()
const guides = all.filter(({ name }) => name !== 'service-desk')

const every = (language: string) =>
  guides.flatMap((guide) =>
    blocksOf(guide.text)
      .filter((block) => block.language === language)
      .map((block) => ({ ...block, guide: guide.name })),
  )

let demo: DemoService
let token = ''
const api = (method: string, path: string, body?: unknown) => demo.api(method, path, { token, body })

beforeAll(async () => {
  demo = await startDemo()
  token = await demo.signIn('admin@example.com')
})
afterAll(() => demo?.stop())

const readme = { name: 'README', text: readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8') }

describe('the commands of the guide', () => {
  it.each([readme, ...guides].filter(({ text }) => blocksOf(text).some(({ language }) => language === 'sh')))(
    '$name answer what it shows',
    async ({ text }) => {
      const environment = { TOKEN: token, AUTH: `Authorization: Bearer ${token}` }
      const settled = () => demo.cloud.idle()
      expect(await wrongSamples(text, { url: demo.url, environment, settled })).toEqual([])
    },
    240_000,
  )
})

describe('the hook in the guide', () => {
  it.each(every('js'))('$guide, line $line, runs for a request of the demo', async ({ text }) => {
    const [, kind, model] = /^\/\/ (\w+) of (\w+)\n/.exec(text) ?? []
    const old = {
      title: 'VPN drops every hour',
      priority: 5,
      status: 'in_progress',
      client_id: 2,
      description: 'Floor 3',
    }
    const changed = { ...old, status: 'resolved', priority: 4 }
    const { status, body } = await api('POST', '/api/sys/scripts/run', {
      script: text,
      kind,
      model,
      ...(kind?.endsWith('create') ? { data: old } : { id: 2, data: changed, old }),
    })
    expect([status, body.data?.status], JSON.stringify(body)).toEqual([200, 'ok'])
    expect((await api('POST', '/api/sys/scripts/check', { script: text, kind })).status).toBe(200)
  })
})

describe('the process in the guide', () => {
  const processes = every('xml')

  it.each(processes)('$guide, line $line, can be imported and started', async ({ text }) => {
    const [, name] = /<process id="(\w+)"/.exec(text) ?? []
    const made = await api('POST', '/api/sys/process-templates', { name, table: 'requests', bpmn_xml: text })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    // The template of the demo is for a hook, which gives it a request and a client.
    const warnings: { code: string }[] = made.body.warnings ?? []
    expect(warnings.filter(({ code }) => code !== 'missing_variable')).toEqual([])
    const started = await api('POST', '/api/sys/process-instances', {
      template_id: made.body.data.id,
      model: 'requests',
      record_id: 2,
    })
    expect(started.status, JSON.stringify(started.body)).toBe(201)
    await demo.cloud.idle()
    const { body } = await api('GET', `/api/sys/process-instances/${started.body.data.id}`)
    expect(body.data.incidents, JSON.stringify(body)).toEqual([])
    await api('PUT', `/api/sys/process-templates/${made.body.data.id}`, { is_active: false })
  })

  it('shows every element and attribute of the namespace', () => {
    const shown = processes.map(({ text }) => text).join('\n')
    const tag = (name: string) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    const missing = wfDescriptor.types.flatMap(({ name, properties, ...type }) => {
      const attributes = properties.filter((property) => property.isAttr).map((property) => property.name)
      if (type.extends !== undefined) return attributes.filter((one) => !shown.includes(`wf:${one}="`))
      const tags = [...shown.matchAll(new RegExp(`<wf:${tag(name)}[ />][^>]*`, 'g'))].map(([found]) => found)
      if (tags.length === 0) return [name]
      return attributes
        .filter((one) => !tags.some((found) => found.includes(` ${one}="`)))
        .map((one) => `${name}.${one}`)
    })
    expect(missing).toEqual([])
  })
})

it('every block of a guide is of a language that a test runs, or is a command for a terminal', () => {
  const languages = new Set(all.flatMap(({ text }) => blocksOf(text)).map(({ language }) => language))
  expect([...languages].sort()).toEqual(['console', 'csv', 'js', 'json', 'sh', 'xml'])
})

it.each(
  all.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((\/api\/[^)\s]+)\)/g)].map(([, path]) => ({ guide: name, path: path as string })),
  ),
)('$path, which $guide names, is answered', async ({ path }) => {
  const answer = await fetch(`${demo.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect([path, answer.status]).toEqual([path, 200])
})
