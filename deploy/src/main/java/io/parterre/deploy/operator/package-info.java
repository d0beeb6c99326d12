/**
 * Commands that ask a running cluster's partition managers for information and changes. Each
 * command is one call of the AdminService, or a few. Start with {@link
 * io.parterre.deploy.operator.OperatorCommands}.
 */
package io.parterre.deploy.operator;
