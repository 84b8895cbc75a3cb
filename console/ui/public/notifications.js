// A service worker for notifications alone: Chrome on Android shows those of a worker and no others.
self.addEventListener("install", () => void self.skipWaiting());

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then(([open]) => (open ? open.focus() : self.clients.openWindow("/inbox"))),
  );
});
