import { type Price, type Priced, pricesOf, type Region } from './prices.ts'

/** Amounts of what AWS bills. What is not named is zero. */
export type Quantities = Readonly<Partial<Record<Priced, number>>>

export interface Bill {
  /** In the order of the price list, without services that were not used. */
  readonly services: readonly { readonly service: string; readonly usd: number }[]
  readonly usd: number
}

export interface BillOptions {
  readonly region: Region
  /** The account's free amounts are taken off first. */
  readonly isFreeTierUnused?: boolean
}

/** What the amounts cost at list price. */
export function billOf(quantities: Quantities, { region, isFreeTierUnused = false }: BillOptions): Bill {
  const services = new Map<string, number>()
  for (const [name, price] of Object.entries<Price>(pricesOf(region))) {
    const amount = quantities[name as Priced]
    if (amount === undefined) continue
    const billed = Math.max(0, amount - (isFreeTierUnused ? (price.free ?? 0) : 0))
    services.set(price.service, (services.get(price.service) ?? 0) + (billed * price.usd) / price.per)
  }
  return {
    services: [...services].map(([service, usd]) => ({ service, usd })),
    usd: [...services.values()].reduce((sum, usd) => sum + usd, 0),
  }
}

export function sumOf(all: readonly Quantities[]): Quantities {
  const sum: Partial<Record<Priced, number>> = {}
  for (const quantities of all)
    for (const [name, amount] of Object.entries(quantities)) sum[name as Priced] = (sum[name as Priced] ?? 0) + amount
  return sum
}

export const times = (quantities: Quantities, factor: number): Quantities =>
  Object.fromEntries(Object.entries(quantities).map(([name, amount]) => [name, amount * factor]))
