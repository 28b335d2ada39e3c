import type { CompletionRule } from './compiled-process.ts'
// placeholder until the definition room lands
export declare function evaluateRules(
  rules: readonly CompletionRule[],
  state: { readonly data: Readonly<Record<string, unknown>>; readonly before?: Readonly<Record<string, unknown>> },
  evaluate: (expression: string) => Promise<unknown>,
): Promise<{ readonly met: false } | { readonly met: true; readonly outcome?: string }>
