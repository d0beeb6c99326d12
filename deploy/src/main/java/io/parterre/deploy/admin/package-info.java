/**
 * The port for operators: metrics, liveness and readiness of the process. No client data passes
 * here, and no request needs a credential. Start with {@link
 * io.parterre.deploy.admin.AdminHandler}.
 */
package io.parterre.deploy.admin;
