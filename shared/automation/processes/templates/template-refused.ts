import { byName } from '../../../kernel/collections/own-members.ts'
import { Invalid, type FieldErrors } from '../../../kernel/failures/faults.ts'
import type { Finding } from '../definition/compiled-process.ts'
import { describeFinding } from './describe-template.ts'

/**
 * A document cannot run: `errors` has messages under `bpmn_xml` and per element, `data.findings` lists all findings.
 */
export class TemplateRefused extends Invalid {
  constructor(findings: readonly Finding[]) {
    super(errorsOf(findings), {
      code: 'invalid_process',
      details: { findings: findings.map(describeFinding) },
    })
  }
}

function errorsOf(findings: readonly Finding[]): FieldErrors {
  const errors: FieldErrors = byName()
  const add = (path: string, message: string): void => {
    errors[path] = [...(errors[path] ?? []), message]
  }
  for (const { elementId, message } of findings) {
    add('bpmn_xml', message)
    if (elementId !== null) add(`bpmn_xml.${elementId}`, message)
  }
  return errors
}
