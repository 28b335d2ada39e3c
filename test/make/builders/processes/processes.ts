import type { TestService } from '../../services/service.ts'

/** A BPMN document with one process. `attributes`: of the process element. */
export const bpmn = (elements: string, attributes = ''): string => `<?xml version="1.0" encoding="UTF-8"?>
<definitions id="D" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="urn:test">
  <error id="NoBudget" errorCode="NO_BUDGET"/>
  <process id="P" isExecutable="true" ${attributes}>${elements}</process>
</definitions>`

/** Elements in sequence, connected by flows. */
export function inARow(...elements: readonly string[]): string {
  const ids = elements.map((element) => /id="(\w+)"/.exec(element)?.[1] as string)
  const flows = ids.slice(1).map((target, index) => flow(ids[index] as string, target))
  return [...elements, ...flows].join('\n')
}

/** A sequence flow, with an optional condition. */
export const flow = (from: string, to: string, condition?: string): string =>
  `<sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}"${condition === undefined ? '/>' : `><conditionExpression xsi:type="tFormalExpression"><![CDATA[${condition}]]></conditionExpression></sequenceFlow>`}`

export const start = '<startEvent id="start"/>'
export const end = '<endEvent id="end"/>'
export const timer = (kind: 'timeDuration' | 'timeDate' | 'timeCycle', value: string): string =>
  `<timerEventDefinition><${kind} xsi:type="tFormalExpression">${value}</${kind}></timerEventDefinition>`
export const scriptTask = (id: string, script: string): string =>
  `<scriptTask id="${id}" scriptFormat="javascript"><script><![CDATA[${script}]]></script></scriptTask>`
export const setFields = (id: string, fields: Readonly<Record<string, string>>): string =>
  `<serviceTask id="${id}" wf:action="setFields"><extensionElements><wf:setFields>${Object.entries(fields)
    .map(([field, value]) => `<wf:set field="${field}" value="${value}"/>`)
    .join('')}</wf:setFields></extensionElements></serviceTask>`

/** Creates a process template as the administrator, and answers it. */
export async function makeProcess(
  service: TestService,
  table: string,
  code: string,
  bpmn_xml: string,
  more: object = {},
): Promise<any> {
  const { status, body } = await service.api('POST', '/api/sys/process-templates', {
    token: service.admin.token,
    body: { code, name: code, table, bpmn_xml, ...more },
  })
  if (status !== 201) throw new Error(`process ${code}: ${JSON.stringify(body)}`)
  return body.data
}

/** The data that the administrator gets at `path`. */
export async function read(service: TestService, path: string): Promise<any> {
  const { status, body } = await service.api('GET', path, { token: service.admin.token })
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body.data
}

/** Calls `look` until it answers anything but undefined, and answers that. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>, withinMs = 60_000): Promise<T> {
  for (const until = Date.now() + withinMs; ;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > until) throw new Error(`${what}: not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until the instance of a record has this status, and answers it. */
export const instanceOf = (
  service: TestService,
  model: string,
  recordId: number,
  status: string,
  withinMs?: number,
): Promise<any> =>
  eventually(
    `an instance of ${model} ${recordId} that is ${status}`,
    async () => {
      const [instance] = await read(service, `/api/sys/process-instances?model=${model}&record_id=${recordId}`)
      return instance?.status === status ? read(service, `/api/sys/process-instances/${instance.id}`) : undefined
    },
    withinMs,
  )

/** Waits for a pending task of a record, and answers it. */
export const taskOf = (service: TestService, model: string, recordId: number, elementId?: string): Promise<any> =>
  eventually(`a pending task ${elementId ?? ''} of ${model} ${recordId}`, async () => {
    const tasks = await read(service, `/api/sys/process-tasks?model=${model}&record_id=${recordId}&status=pending`)
    return tasks.find((task: any) => elementId === undefined || task.element_id === elementId)
  })
