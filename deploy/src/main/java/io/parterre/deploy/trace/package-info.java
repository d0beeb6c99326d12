/** Records spans and sends them to a collector, where traces are set up. */
package io.parterre.deploy.trace;
