/**
 * The port for operators: metrics, whether the process lives, whether it serves. No data of clients
 * passes here, and nothing here needs a credential. Start with {@link
 * io.parterre.deploy.admin.AdminHandler}.
 */
package io.parterre.deploy.admin;
