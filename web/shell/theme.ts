import { createTheme, Drawer, Menu, Modal, Popover, Select, MultiSelect, Tooltip } from '@mantine/core'

/** Dialogs lock scrolling by the style sheet: the library would add a style, which the policy of the page refuses. */
const dialog = {
  lockScroll: false,
  removeScrollProps: { enabled: false },
  transitionProps: { duration: 100 },
  // Its head is no banner of the page.
  attributes: { header: { role: 'presentation' } },
}
const popover = { transitionProps: { duration: 80 }, shadow: 'md' }

/** What components have in common. Colours and sizes are variables of styles.css. */
export const theme = createTheme({
  fontFamily: 'inherit',
  primaryColor: 'blue',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Modal: Modal.extend({ defaultProps: dialog }),
    Drawer: Drawer.extend({ defaultProps: dialog }),
    Menu: Menu.extend({ defaultProps: popover }),
    Popover: Popover.extend({ defaultProps: popover }),
    Select: Select.extend({ defaultProps: { comboboxProps: popover } }),
    MultiSelect: MultiSelect.extend({ defaultProps: { comboboxProps: popover } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400, transitionProps: { duration: 80 } } }),
  },
})
