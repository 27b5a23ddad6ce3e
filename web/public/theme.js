// Runs before the first paint, so that a chosen theme does not flash. A file of its own, as inline scripts are refused.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the system's theme it is.
}
