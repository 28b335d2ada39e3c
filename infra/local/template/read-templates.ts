import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Template, TemplateError } from './resolve-template.ts'

/**
 * The stacks of an application as one template: what one exports or has as an output, another reads by name. Names are logical ids here, so
 * two stacks may not give one to different things.
 */
export const readTemplates = (files: readonly string[]): Template =>
  mergeTemplates(files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Template))

export function mergeTemplates(templates: readonly Template[]): Template {
  const merged = (section: 'Parameters' | 'Conditions' | 'Resources' | 'Outputs'): Record<string, any> => {
    const all: Record<string, unknown> = {}
    for (const [id, value] of templates.flatMap((template) => Object.entries(template[section] ?? {}))) {
      if (id in all && (section === 'Resources' || !isDeepStrictEqual(all[id], value)))
        throw new TemplateError(`Two stacks give the name ${id} to different ${section.toLowerCase()}.`)
      all[id] = value
    }
    return all
  }
  return {
    Parameters: merged('Parameters'),
    Conditions: merged('Conditions'),
    Resources: merged('Resources'),
    Outputs: merged('Outputs'),
  }
}
