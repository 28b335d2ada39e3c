import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Guide, readGuides } from '../../../functions/api/api-docs/guides.ts'
import { wfDescriptor } from '../../../shared/automation/processes/definition/read/wf-descriptor.ts'
import { unlike } from '../../make/oracles/resembles.ts'
import { type DemoService, startDemo } from '../../make/services/demo-service.ts'

const run = promisify(execFile)
const guides = await readGuides()

interface Block {
  readonly language: string
  readonly text: string
  /** Of the guide's text. */
  readonly line: number
}

const blocksOf = ({ text }: Guide): Block[] =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(({ 1: language = '', 2: block = '', index }) => ({
    language,
    text: block,
    line: text.slice(0, index).split('\n').length,
  }))
const every = (language: string) =>
  guides.flatMap((guide) =>
    blocksOf(guide)
      .filter((block) => block.language === language)
      .map((block) => ({ ...block, guide: guide.name })),
  )

let demo: DemoService
let token = ''
const api = (method: string, path: string, body?: unknown) => demo.api(method, path, { token, body })

beforeAll(async () => {
  demo = await startDemo()
  token = await demo.signIn('admin@example.com')
}, 120_000)
afterAll(() => demo?.stop())

const parsed = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Runs the commands of a guide in one shell, as a reader copies them, and answers what each block printed. */
async function outputsOf(commands: readonly string[]): Promise<string[]> {
  const script = commands
    .join('\nprintf "\\n____\\n"\nsleep 0.3\n')
    .replaceAll('localhost:3000', demo.url.replace('http://', ''))
  const env = { ...process.env, TOKEN: token, AUTH: `Authorization: Bearer ${token}` }
  const { stdout } = await run('sh', ['-euc', script], { env, maxBuffer: 50_000_000 })
  return stdout.split('\n____\n')
}

/** What is wrong with the output of a block. `shown` is the block after it: the answer, if the guide shows one. */
function problemOf(output: string, shown: Block | undefined): string | undefined {
  const answer = parsed(output)
  if (shown?.language === 'json') {
    const example = JSON.parse(shown.text)
    return unlike(example, answer) ?? (example.success === answer?.success ? undefined : 'it should not have failed')
  }
  if (shown?.language === 'csv') {
    const line = shown.text.trim().split('\n').at(-1) as string
    return output.includes(line) ? undefined : `it lacks the line ${line}`
  }
  return answer === undefined || answer.success === true ? undefined : 'it failed'
}

describe('the commands of the guide', () => {
  it.each(guides.filter((guide) => blocksOf(guide).some(({ language }) => language === 'sh')))(
    '$name answer what it shows',
    async (guide) => {
      const blocks = blocksOf(guide)
      const commands = blocks.filter(({ language }) => language === 'sh')
      const outputs = await outputsOf(commands.map(({ text }) => text.trimEnd()))
      expect(outputs).toHaveLength(commands.length)
      for (const [index, command] of commands.entries()) {
        const next = blocks[blocks.indexOf(command) + 1]
        const output = outputs[index] as string
        expect(problemOf(output, next), `${guide.name}, line ${command.line}: ${output.slice(0, 600)}`).toBeUndefined()
      }
      await demo.cloud.idle()
    },
    120_000,
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
  const languages = new Set(guides.flatMap(blocksOf).map(({ language }) => language))
  expect([...languages].sort()).toEqual(['console', 'csv', 'js', 'json', 'sh', 'xml'])
})

it.each(
  guides.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((\/api\/[^)\s]+)\)/g)].map(([, path]) => ({ guide: name, path: path as string })),
  ),
)('$path, which $guide names, is answered', async ({ path }) => {
  const answer = await fetch(`${demo.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect([path, answer.status]).toEqual([path, 200])
})
