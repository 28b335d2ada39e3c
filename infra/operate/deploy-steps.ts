import type { DeployedStack } from './cloud-formation.ts'

/** The stacks of a stage, as far as they exist. */
export type DeployedStacks = Readonly<Partial<Record<'data' | 'service' | 'monitoring', DeployedStack>>>

const suffixes = { data: '-Data', service: '', monitoring: '-Monitoring' } as const satisfies Record<
  keyof DeployedStacks,
  string
>

/** The name of a stack in CloudFormation. */
export const stackName = (stage: string, which: keyof DeployedStacks): string =>
  `EntityWorkflow-${stage}${suffixes[which]}`

/** The stacks that have a parameter, where it is not the service alone. */
const stacksOf: Readonly<Record<string, readonly (keyof DeployedStacks)[]>> = {
  MaxReadRequestUnits: ['data'],
  MaxWriteRequestUnits: ['data'],
  Production: ['service', 'monitoring'],
  MessengerDirect: ['service', 'monitoring'],
  RestoredTable: ['service', 'monitoring'],
  AlarmEmail: ['monitoring'],
  MonthlyBudget: ['monitoring'],
}

/** The stage that the options of `cdk deploy` name. */
export function stageOf(given: readonly string[]): string {
  const values = given.flatMap((option, at) => {
    const [, own] = /^(?:-c|--context)=?(.*)$/.exec(option) ?? []
    return own === undefined ? [] : [own || (given[at + 1] ?? '')]
  })
  return values.find((value) => value.startsWith('stage='))?.slice('stage='.length) ?? 'dev'
}

/**
 * The calls of `cdk` that deploy a stage: `cdk` orders the stacks, data before the service before what watches it. A stack whose
 * creation failed is deleted by `cdk` and made again, so the data stack must not be protected until it was made.
 */
export function deploySteps(given: readonly string[], deployed: DeployedStacks): readonly (readonly string[])[] {
  const stage = stageOf(given)
  const scoped = scopeParameters(given, stage)
  const options = [...scoped, ...keptParameters(scoped, stage, deployed)]
  const all = ['deploy', '--all', ...options]
  if (isMade(deployed.data)) return [all]
  return [['deploy', stackName(stage, 'data'), ...options, '-c', 'protect=false'], all]
}

const isMade = (stack: DeployedStack | undefined): boolean =>
  stack !== undefined && !/^(ROLLBACK_|CREATE_FAILED|REVIEW_|DELETE_)/.test(stack.status)

/** A parameter without a stack goes to the stacks that have it: `cdk` gives it to every stack, and CloudFormation refuses it. */
function scopeParameters(given: readonly string[], stage: string): string[] {
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
    if (name === undefined) scoped.push('--parameters', value)
    else
      for (const which of stacksOf[name] ?? ['service'])
        scoped.push('--parameters', `${stackName(stage, which)}:${value}`)
  }
  return scoped
}

/**
 * What a new monitoring stack takes over from a service that was deployed before: `cdk` keeps the parameters of a stack, but
 * these were, or are, those of another one.
 */
function keptParameters(scoped: readonly string[], stage: string, { service, monitoring }: DeployedStacks): string[] {
  if (isMade(monitoring) || !isMade(service)) return []
  return Object.entries(stacksOf).flatMap(([name, stacks]) => {
    const parameter = `${stackName(stage, 'monitoring')}:${name}=`
    const kept = service?.parameters[name]
    const isGiven = scoped.some((option) => option.startsWith(parameter))
    return stacks.includes('monitoring') && kept && !isGiven ? ['--parameters', parameter + kept] : []
  })
}
