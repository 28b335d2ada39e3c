/** How a language says what the service says. */
interface ServiceWords {
  readonly byCode: Readonly<Record<string, string>>
  readonly sentences: readonly (readonly [said: RegExp, words: string | ((...parts: string[]) => string)])[]
}

/** The service speaks English; other languages are loaded with their words. */
const load: Readonly<Record<string, (() => Promise<ServiceWords>) | undefined>> = {
  de: () => import('./service/de.ts'),
}

let words: ServiceWords | undefined

/** From now on the service is quoted in a language. */
export async function quoteIn(language: string): Promise<void> {
  words = await load[language]?.()
}

/**
 * What the service said, in the language of the reader: recognized by its wording, else by its code. As the service says
 * it where neither is known, which is also right for what administrators wrote.
 */
export function quote(message: string, code?: string): string {
  for (const [said, inWords] of words?.sentences ?? []) {
    const [recognized] = said.exec(message) ?? []
    // What the service says after that is in the other language, and often for programs.
    if (recognized !== undefined) return recognized.replace(said, inWords as string)
  }
  return (code !== undefined && words && Object.hasOwn(words.byCode, code) && words.byCode[code]) || message
}
