import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromiumFlags } from './support/chromium-flags.ts'
import { type RunningService, startService } from './support/start-service.ts'

/** Pictures are taken when a folder for them is named. */
const pictures = process.env['BPMN_PICTURES']
const password = 'a lamp in room seven'
const profile = mkdtempSync(join(tmpdir(), 'bpmn-js-'))
const files = join(import.meta.dirname, 'node_modules', 'bpmn-js', 'dist')
const html = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/assets/diagram-js.css"><link rel="stylesheet" href="/assets/bpmn-js.css">
<style>html,body,#canvas{margin:0;height:100%}</style><div id="canvas"></div><script src="/bpmn-modeler.production.min.js"></script>`
const templates = '/api/sys/process-templates'
let service: RunningService
let server: Server
let browser: BrowserContext
let page: Page
let token: string

async function api(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const read = (await answer.json()) as any
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`)
  return read.data
}

beforeAll(async () => {
  service = await startService({ ADMIN_PASSWORD: password })
  token = ''
  token = (await api('POST', '/api/login-local', { email: 'admin@example.com', password })).token
  server = createServer(({ url = '/' }, response) => {
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(html)
    if (!/^\/(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:css|js)$/.test(url)) return void response.writeHead(404).end()
    response.setHeader('content-type', url.endsWith('.css') ? 'text/css' : 'text/javascript')
    response.end(readFileSync(join(files, url)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumFlags,
    viewport: { width: 1280, height: 600 },
  })
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const wf = await api('GET', `${templates}/schema?table=requests`)
  await page.evaluate(
    `window.modeler = new BpmnJS({ container: '#canvas', moddleExtensions: { wf: ${JSON.stringify(wf)} } })`,
  )
}, 240_000)

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  await service?.stop()
  rmSync(profile, { recursive: true, force: true })
})

interface Opened {
  readonly warnings: readonly string[]
  readonly shapes: readonly string[]
  readonly flows: readonly string[]
  readonly saved: string
}
/** Opens a document as a modeler does: what it complains of, what it draws, and what it saves. */
const open = (xml: string): Promise<Opened> =>
  page.evaluate(`(async () => {
    const { warnings } = await modeler.importXML(${JSON.stringify(xml)})
    modeler.get('canvas').zoom('fit-viewport')
    modeler.get('canvas').scroll({ dx: 120, dy: 60 })
    const drawn = modeler.get('elementRegistry').filter((element) => element.type !== 'label' && element.parent)
    const ids = (kind) => drawn.filter((element) => Boolean(element.waypoints) === kind).map(({ id }) => id).sort()
    return { warnings: warnings.map(({ message }) => message), shapes: ids(false), flows: ids(true), saved: (await modeler.saveXML({ format: true })).xml }
  })()`)
const picture = async (name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

it('bpmn-js opens the process of the demo as it is, and saves it without a loss', async () => {
  const [{ id }] = await api('GET', `${templates}?table=requests`)
  const template = await api('GET', `${templates}/${id}`)
  const { warnings, shapes, flows, saved } = await open(template.bpmn_xml)
  await picture('demo')
  expect(warnings).toEqual([])
  expect(shapes).toEqual([
    'approve',
    'created',
    'decision',
    'done',
    'escalate',
    'escalated',
    'overdue',
    'reject',
    'rejected',
    'resolve',
  ])
  expect(flows).toHaveLength(8)
  for (const word of template.bpmn_xml.match(/wf:\w+/g) ?? []) expect(saved).toContain(word)
  const changed = await api('PUT', `${templates}/${id}`, { bpmn_xml: saved })
  expect([changed.bpmn_xml, changed.warnings]).toEqual([saved, undefined])
})

it('bpmn-js opens a document without a diagram when the layout is asked for', async () => {
  const nodes = [
    '<startEvent id="start" name="New"/>',
    '<parallelGateway id="fork"/>',
    '<userTask id="check" name="Check the stock" wf:candidateRoles="agent" wf:complete_on_field_priority="1"/>',
    '<userTask id="call" name="Call the client" wf:candidateRoles="agent"/>',
    '<parallelGateway id="join"/>',
    '<subProcess id="rest" name="The rest"><startEvent id="inner_start"/><userTask id="inner" wf:candidateRoles="agent"/><endEvent id="inner_end"/><sequenceFlow id="i1" sourceRef="inner_start" targetRef="inner"/><sequenceFlow id="i2" sourceRef="inner" targetRef="inner_end"/></subProcess>',
    '<endEvent id="end" name="Done"/>',
  ]
  const links = ['start fork', 'fork check', 'fork call', 'check join', 'call join', 'join rest', 'rest end']
  const flows = links.map((link, n) => {
    const [from, to] = link.split(' ')
    return `<sequenceFlow id="f${n}" sourceRef="${from}" targetRef="${to}"/>`
  })
  const plain = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="urn:plain"><process id="plain" isExecutable="true">${[...nodes, ...flows].join('')}</process></definitions>`
  await expect(open(plain)).rejects.toThrow(/no diagram to display/)
  const { id } = await api('POST', templates, {
    name: 'Plain',
    table: 'requests',
    bpmn_xml: plain,
    is_auto_start: false,
  })
  const drawn = await open((await api('GET', `${templates}/${id}?layout=true`)).bpmn_xml)
  await picture('laid-out')
  expect(drawn.warnings).toEqual([])
  for (const shape of ['start', 'fork', 'check', 'call', 'join', 'rest', 'end', 'inner'])
    expect(drawn.shapes).toContain(shape)
  expect(drawn.flows).toEqual(expect.arrayContaining(links.map((_, n) => `f${n}`)))
})
