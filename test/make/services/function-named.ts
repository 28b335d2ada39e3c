import type { TestService } from './service.ts'

/** The full name of the function whose name begins with a word, such as `Records`: a fault put into it hits no other function. */
export function functionNamed({ cloud }: Pick<TestService, 'cloud'>, beginning: string): string {
  const found = cloud.functions.filter((name) => name.startsWith(beginning))
  const [name] = found
  if (name === undefined || found.length > 1)
    throw new Error(
      `One function should begin with ${beginning}; there are: ${(found.length > 0 ? found : cloud.functions).join(', ')}.`,
    )
  return name
}
