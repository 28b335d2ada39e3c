import { createTheme } from '@mantine/core'

/** Dialogs lock scrolling by the style sheet: the library would add a style, which the policy of the page refuses. */
const dialog = {
  lockScroll: false,
  removeScrollProps: { enabled: false },
  transitionProps: { duration: 100 },
  // Its head is no banner of the page.
  attributes: { header: { role: 'presentation' } },
}
const popover = { transitionProps: { duration: 80 }, shadow: 'md' }

const onAccentColor = 'var(--on-accent)'

/** What components have in common. Colours and sizes are variables of styles.css. */
export const theme = createTheme({
  fontFamily: 'inherit',
  primaryColor: 'blue',
  respectReducedMotion: true,
  cursorType: 'pointer',
  // By name: a reference to a component would make it part of the first load.
  components: {
    // What is written on the accent of a company can be read; other colors have their own.
    Button: {
      vars: (_theme: unknown, { variant = 'filled', color }: { variant?: string; color?: string }) => ({
        root: variant === 'filled' && color === undefined ? { '--button-color': onAccentColor } : {},
      }),
    },
    Checkbox: { vars: () => ({ root: { '--checkbox-icon-color': onAccentColor } }) },
    Radio: { vars: () => ({ root: { '--radio-icon-color': onAccentColor } }) },
    Modal: { defaultProps: dialog },
    Drawer: { defaultProps: dialog },
    // Without it the menu itself gets the focus; an element between it and its entries is a fault of accessibility.
    Menu: { defaultProps: { ...popover, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: popover },
    Select: { defaultProps: { comboboxProps: popover } },
    MultiSelect: { defaultProps: { comboboxProps: popover } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 80 } } },
  },
})
