import type { TestService } from '../../services/service.ts'

export type Hooks = readonly (readonly [kind: string, script: string])[]

/** Replaces the hooks of a table by these, in this order, and answers the table. */
export async function setHooks(service: TestService, name: string, hooks: Hooks, token = service.admin.token) {
  const automations = hooks.map(([kind, script], index) => ({ kind, script, position: index + 1 }))
  const { status, body } = await service.api('PUT', `/api/sys/entities/name/${name}`, {
    token,
    body: { name, automations },
  })
  if (status !== 200) throw new Error(`hooks of ${name}: ${JSON.stringify(body)}`)
  return body.data
}

/** The run log, newest first. */
export async function scriptRuns(service: TestService, query = ''): Promise<any[]> {
  const { status, body } = await service.api('GET', `/api/sys/script-runs?per_page=1000${query}`, {
    token: service.admin.token,
  })
  if (status !== 200) throw new Error(`script runs: ${JSON.stringify(body)}`)
  return body.data
}
