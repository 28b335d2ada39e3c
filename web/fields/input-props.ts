import type { EditProps } from './field-module.ts'

/** What every control of a field has in common. */
export const inputProps = ({
  field,
  label,
  ariaLabel,
  error,
  required,
  disabled,
  autoFocus,
  size = 'sm',
}: EditProps) => ({
  label,
  'aria-label': label === undefined ? ariaLabel : undefined,
  description: label === undefined ? undefined : field.description,
  error: label === undefined && error !== undefined ? true : error,
  title: label === undefined ? error : undefined,
  required,
  disabled,
  size,
  'data-autofocus': autoFocus || undefined,
  autoFocus,
})
