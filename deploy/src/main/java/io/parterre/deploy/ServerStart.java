package io.parterre.deploy;

import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.log.Logging;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every server starts with: its log, and the log's first lines. */
final class ServerStart {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStart.class);

    private ServerStart() {}

    /** Sets up the log and the handler of uncaught exceptions. */
    static ParterreConfig begin(EffectiveConfig effective) throws IOException {
        Logging.configure(effective.config().log());
        effective.warnings().forEach(warning -> LOG.warn("setting ignored: {}", warning));
        ProcessLifetime.watchThreads();
        LOG.info(
                "parterre starts version={} dataDir={} pid={} java={}",
                BuildVersion.read(),
                effective.config().dataDir().toAbsolutePath().normalize(),
                ProcessHandle.current().pid(),
                Runtime.version());
        return effective.config();
    }
}
