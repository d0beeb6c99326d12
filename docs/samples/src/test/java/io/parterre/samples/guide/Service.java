package io.parterre.samples.guide;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.parterre.chaos.client.TestedService;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The service the samples run against, through a client as any application would build it. */
final class Service {
    static final TableServiceClient CLIENT =
            new TableServiceClientBuilder()
                    .connectionString(TestedService.get().connectionString())
                    .buildClient();

    private static final Queue<String> TABLES = new ConcurrentLinkedQueue<>();

    private Service() {}

    static TableClient freshTable() {
        String name = "Guide" + UUID.randomUUID().toString().replace("-", "");
        TABLES.add(name);
        return CLIENT.createTable(name);
    }

    /** Deletes every table that was given out. */
    static void deleteTables() {
        for (String name = TABLES.poll(); name != null; name = TABLES.poll()) {
            CLIENT.deleteTable(name);
        }
    }
}
