import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** A part that is loaded when it is needed, and that a screen does without when it cannot be, such as without a connection. */
export const optional = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => load().catch(() => ({ default: () => null })))
