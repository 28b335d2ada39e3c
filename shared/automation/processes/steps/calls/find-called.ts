import { Fault } from '../../../../kernel/failures/faults.ts'
import { maxCallDepth, maxVariableBytes } from '../../../../kernel/limits/processes.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import { didYouMean, shown } from '../../../../kernel/text/did-you-mean.ts'
import type { CalledProcess, ElementScope } from '../../../bpmn/schema.ts'
import type { CallDefinition } from '../../../bpmn/shapes/graph.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import type { Evaluate } from '../../evaluate/step-expressions.ts'
import type { Instance } from '../../rows/instance-row.ts'
import { problemOfCall } from '../../templates/pin-references.ts'
import { readTemplate } from '../../templates/template.ts'

/** Finds the version of the template that a call activity calls. Throws Fault, naming it, when it cannot be called. */
export async function findCalled(
  { config, openProcess }: Pick<AdvanceDependencies, 'config' | 'openProcess'>,
  tenant: Tenant,
  { model, code: ownCode, caller }: Pick<Instance, 'model' | 'code' | 'caller'>,
  { pinned, ...call }: CallDefinition,
  { evaluate, at, variables }: { evaluate: Evaluate; at: ElementScope; variables: Readonly<Record<string, unknown>> },
): Promise<CalledProcess> {
  const code = call.code ?? String((await evaluate(call.expression ?? '', at)) ?? '')
  if ((caller?.depth ?? 0) >= maxCallDepth)
    throw refused(
      `${ownCode} cannot call ${code}: processes have called each other ${maxCallDepth} times, one inside of another. Find and break the circle.`,
    )
  const bytes = Buffer.byteLength(JSON.stringify(variables))
  if (bytes > maxVariableBytes)
    throw refused(
      `The variables for ${code} have ${Math.ceil(bytes / 1024)} KB, and ${maxVariableBytes / 1024} KB are possible: pass fewer, or keep them in a record.`,
    )
  const templates = await config.list(tenant, 'PROCESS', readTemplate)
  const template = templates.find((one) => one.code === code)
  if (template === undefined)
    throw refused(
      `There is no process template with the code ${shown(code)}.${didYouMean(
        code,
        templates.map((one) => one.code),
      )}`,
    )
  const problem = problemOfCall(template, model)
  if (problem !== undefined) throw refused(problem)
  if (pinned === 'unknown')
    throw refused(
      `The call of ${code} is pinned to the version that it had when ${ownCode} was saved, and there was none: save ${ownCode} again.`,
    )
  if (pinned !== undefined && pinned.templateId !== template.id)
    throw refused(
      `The call of ${code} is pinned to a template that was deleted; there is another one of this code: save ${ownCode} again.`,
    )
  const { version } = pinned ?? template
  if (pinned !== undefined) await requireRunnable(openProcess, tenant, template.id, version, code)
  return { templateId: template.id, version, code }
}

/** An active template can run, but the version that is pinned may have been a draft. */
async function requireRunnable(
  openProcess: AdvanceDependencies['openProcess'],
  tenant: Tenant,
  templateId: number,
  version: number,
  code: string,
): Promise<void> {
  try {
    await openProcess(tenant, templateId, version)
  } catch (cause) {
    if (!(cause instanceof Fault) && cause instanceof Error && cause.message.endsWith('cannot run'))
      throw refused(`The version ${version} of the process ${code}, to which the call is pinned, is a draft.`)
    throw cause
  }
}

const refused = (message: string): Fault => new Fault('validation_failed', message)
