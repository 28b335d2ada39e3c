import { maxRolesOfUser, maxRowRuleBytes, maxRowRules } from '../../../../shared/kernel/limits/accounts.ts'
import { type Axis, bytesOf, type Plan, range } from '../plan.ts'

const role = ({ model }: Plan, at: number) => ({
  name: `r_${model}_${at}`,
  permissions: [`${model}.*`, 'targets.*', 'echoes.*'],
})

/** As many rules as a role may have, as large as they may be; the last one of each action reaches the records. */
function largestRules(model: string): object[] {
  const actions = ['read', 'update', 'delete'] as const
  const ofNothing = (at: number, ids: number) => ({
    table: model,
    action: actions[at % 3],
    filter: { id: { _in: range(ids, (id) => 100_000_000 + id) } },
  })
  const reaching = actions.map((action) => ({ table: model, action, filter: { id: { _gte: 1 } } }))
  let rules = [...range(maxRowRules - 3, (at) => ofNothing(at, 1)), ...reaching]
  const more = Math.floor((maxRowRuleBytes - bytesOf(rules)) / 10)
  const each = Math.floor(more / (maxRowRules - 3))
  rules = [...range(maxRowRules - 3, (at) => ofNothing(at, 1 + each)), ...reaching]
  return rules
}

/** Gives every role of the plan the greatest rules, and field rules that name every field. */
function limitRoles({ model, fields, roles }: Plan): void {
  const rules = largestRules(model)
  const names = fields.map(({ name }) => name)
  for (const one of roles) Object.assign(one, { rules, fields: { [model]: { read: names, write: names } } })
}

export const accessAxes: readonly Axis[] = [
  {
    name: 'roles',
    apply: (plan) => plan.roles.push(...range(maxRolesOfUser - plan.roles.length, (at) => role(plan, at + 1))),
    beyond: {
      step: 'roles of the user',
      says: /roles.*20/s,
      change: (plan) => plan.roles.push(role(plan, maxRolesOfUser + 1)),
    },
  },
  {
    name: 'rules',
    apply: (plan) => {
      if (plan.roles.length === 0) plan.roles.push(role(plan, 0))
      plan.finish.push(limitRoles)
    },
    beyond: {
      step: 'role',
      says: /rules.*200/s,
      change: ({ model, finish }) =>
        finish.push(({ roles }) => {
          roles[0]!.rules = [...roles[0]!.rules!, { table: model, action: 'read', filter: { id: { _gte: 1 } } }]
        }),
    },
  },
]
