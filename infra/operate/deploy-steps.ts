/** Parameters that the data stack has, too, and those that it has alone. */
const ofBoth: readonly string[] = ['CorsOrigins']
const ofData: readonly string[] = ['MaxReadRequestUnits', 'MaxWriteRequestUnits']

/** The stage that the options of `cdk deploy` name. */
export function stageOf(given: readonly string[]): string {
  const values = given.flatMap((option, at) => {
    const [, own] = /^(?:-c|--context)=?(.*)$/.exec(option) ?? []
    return own === undefined ? [] : [own || (given[at + 1] ?? '')]
  })
  return values.find((value) => value.startsWith('stage='))?.slice('stage='.length) ?? 'dev'
}

/**
 * The calls of `cdk` that deploy a stage. `status`: of its data stack, undefined when there is none. A stack whose
 * creation failed is deleted by `cdk` and made again, so it must not be protected.
 */
export function deploySteps(given: readonly string[], status: string | undefined): readonly (readonly string[])[] {
  const data = `EntityWorkflow-${stageOf(given)}-Data`
  const options = scopeParameters(given)
  const isNew = status === undefined || /^(ROLLBACK_|CREATE_FAILED|REVIEW_|DELETE_)/.test(status)
  const all = ['deploy', '--all', ...options]
  return isNew ? [['deploy', data, ...options, '-c', 'protect=false'], all] : [all]
}

/** A parameter without a stack goes to the stacks that have it: `cdk` gives it to every stack, and CloudFormation refuses it. */
function scopeParameters(given: readonly string[]): string[] {
  const service = `EntityWorkflow-${stageOf(given)}`
  const scoped: string[] = []
  for (let at = 0; at < given.length; at += 1) {
    const option = given[at] as string
    const [, own] = /^--parameters(?:=(.*))?$/.exec(option) ?? []
    if (!option.startsWith('--parameters')) {
      scoped.push(option)
      continue
    }
    const value = own ?? (given[(at += 1)] as string | undefined) ?? ''
    const [, name] = /^([A-Za-z0-9]+)=/.exec(value) ?? []
    const stacks = name === undefined ? [] : stacksWith(name, service)
    if (stacks.length === 0) scoped.push('--parameters', value)
    for (const stack of stacks) scoped.push('--parameters', `${stack}:${value}`)
  }
  return scoped
}

function stacksWith(name: string, service: string): readonly string[] {
  const data = `${service}-Data`
  if (ofData.includes(name)) return [data]
  return ofBoth.includes(name) ? [service, data] : [service]
}
