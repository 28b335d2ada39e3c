import { maxMessagesPerWrite, maxScriptCalls } from '../../../../shared/kernel/limits/scripts.ts'
import { maxHooks, maxHookScriptBytes } from '../../../../shared/kernel/limits/tables.ts'
import { type Axis, type Plan, range } from '../plan.ts'

const kinds = ['before_create', 'before_update', 'before_delete', 'after_create', 'after_update', 'after_delete']

/** Fills the table up to 200 hooks; those that are switched off cost no time. */
function fillHooks({ hooks }: Plan): void {
  while (hooks.length < maxHooks) hooks.push({ kind: 'after_update', script: 'null', is_active: false })
}

const longScript = (bytes: number): string => {
  const code = '/*  */ const seen = 1'
  return `/* ${'x'.repeat(bytes - code.length)} */ const seen = 1`
}
const reads = (count: number) => ({
  kind: 'before_update',
  script: `for (let i = 0; i < ${count}; i++) $api.get('targets', $context.id)`,
})
const sends = (count: number, userId: number): string =>
  `for (let i = 0; i < ${count}; i++) $api.sendPushNotification('n' + i, 'text', null, [${userId}])`

export const scriptAxes: readonly Axis[] = [
  {
    name: 'hooks',
    apply: (plan) => {
      plan.fields.push({ name: 'ran', type: 'integer' })
      const script = 'if ($data) $data.ran = ($data.ran || 0) + 1'
      // A run takes milliseconds: most hooks wait for an update, which a case makes once.
      for (const kind of kinds) plan.hooks.push(...range(kind === 'before_update' ? 75 : 3, () => ({ kind, script })))
      plan.finish.unshift(fillHooks)
      plan.rowMs += 20
    },
    beyond: {
      step: 'table',
      says: /automations.*200/s,
      change: ({ finish }) => finish.push(({ hooks }) => hooks.push({ kind: 'after_update', script: 'null' })),
    },
  },
  {
    name: 'script size',
    apply: (plan) => {
      const script = longScript(maxHookScriptBytes)
      for (const kind of ['before_create', 'before_update']) plan.hooks.push({ kind, script })
      plan.rowMs += 5
    },
    beyond: {
      step: 'table',
      says: /automations\.2\.script.*64 KB/s,
      change: ({ hooks }) => hooks.push({ kind: 'before_create', script: longScript(maxHookScriptBytes + 1) }),
    },
  },
  {
    name: 'calls',
    apply: (plan) => {
      plan.hooks.push(reads(maxScriptCalls))
      plan.hooks.push({
        kind: 'after_create',
        script: `for (let i = 0; i < ${maxScriptCalls}; i++) $api.create('echoes', { name: 'e' + i })`,
      })
      plan.rowMs += 200
    },
    beyond: {
      step: 'update',
      says: /more than 50 \$api calls/,
      change: ({ hooks }) => hooks.push(reads(maxScriptCalls + 1)),
    },
  },
  {
    name: 'notifications',
    apply: (plan, { service }) => {
      const script = sends(maxMessagesPerWrite / 2, service.admin.userId)
      for (const kind of kinds) plan.hooks.push({ kind, script }, { kind, script })
      plan.rowMs += 100
    },
    beyond: {
      step: 'create',
      says: /70/,
      change: ({ hooks }, { service }) => hooks.push({ kind: 'before_create', script: sends(1, service.admin.userId) }),
    },
  },
]
